"""Which message is a MindSpore checkpoint? Described here, made by protobuf when it is first used.

    message Checkpoint { repeated Value value = 1; }
    message Value { required string tag = 1; optional TensorProto tensor = 2; }
    message TensorProto {
        repeated int64 dims = 1; required string tensor_type = 2; required bytes tensor_content = 3;
    }

Messages written one after another are one message with all the values: a file can be written, and
read, value by value. (A third field of a Value, ``maptensor``, is not known here.)
"""

import functools

from .. import errors

#: The part before each value of the file: field 1, of a given length.
VALUE_TAG = 0x0A
#: What protobuf allows for one message.
LARGEST = 2**31 - 1

_FIELDS = {  # message: {field: (number, label, type, message)}
    "TensorProto": {
        "dims": (1, "REPEATED", "INT64", None),
        "tensor_type": (2, "REQUIRED", "STRING", None),
        "tensor_content": (3, "REQUIRED", "BYTES", None),
    },
    "Value": {
        "tag": (1, "REQUIRED", "STRING", None),
        "tensor": (2, "OPTIONAL", "MESSAGE", "TensorProto"),
    },
    "Checkpoint": {"value": (1, "REPEATED", "MESSAGE", "Value")},
}


@functools.cache
def classes():
    """The classes ``Checkpoint`` and ``Value``; protobuf is imported here and nowhere else.

    >>> Checkpoint, Value = classes()
    >>> value = Value(tag="w")
    >>> Checkpoint(value=[value]).SerializeToString()
    b'\\n\\x03\\n\\x01w'
    """
    try:
        from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    except ImportError:
        raise errors.NotRunnable(
            "Checkpoints in MindSpore's format need the package protobuf.",
            hint='pip install protobuf, or write and read format="safetensors".',
        ) from None
    pool = descriptor_pool.DescriptorPool()  # its own: MindSpore's has these names too
    pool.AddSerializedFile(_description(descriptor_pb2).SerializeToString())
    found = [pool.FindMessageTypeByName(f"ms_ext.{name}") for name in ("Checkpoint", "Value")]
    return tuple(message_factory.GetMessageClass(each) for each in found)


def _description(descriptor_pb2):
    """The file that protoc would read, as the message that it makes of it."""
    file = descriptor_pb2.FileDescriptorProto(name="checkpoint.proto", package="ms_ext")
    field = descriptor_pb2.FieldDescriptorProto
    for message, fields in _FIELDS.items():
        described = file.message_type.add(name=message)
        for name, (number, label, kind, inner) in fields.items():
            described.field.add(
                name=name,
                number=number,
                label=getattr(field, f"LABEL_{label}"),
                type=getattr(field, f"TYPE_{kind}"),
                type_name=inner and f".ms_ext.{inner}",
            )
    return file


def broken():
    """The error that protobuf raises for bytes that are no such message."""
    from google.protobuf.message import DecodeError

    return DecodeError
