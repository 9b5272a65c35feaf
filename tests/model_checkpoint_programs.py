"""Programs with ModelCheckpoint, for MindSpore and for ms_ext: the files and what is in them."""

import os

from model_programs import program


def files_in(folder):
    return [name for name in sorted(os.listdir(folder)) if not name.endswith(".meta")]


@program
def checkpoints(bench):
    config = bench.train.CheckpointConfig
    saving = bench.train.ModelCheckpoint("net", "a", config(2, keep_checkpoint_max=3))
    bench.model().train(3, bench.data(), saving)
    first = files_in("a"), os.path.basename(saving.latest_ckpt_file_name)
    loaded = bench.ms.load_checkpoint(saving.latest_ckpt_file_name)
    return first, {name: value.asnumpy().tolist() for name, value in loaded.items()}


@program
def checkpoints_beside_others(bench):
    config = bench.train.CheckpointConfig(
        100, append_info=["epoch_num", "step_num", {"rate": 0.1, "said": "x"}]
    )
    for _ in range(3):
        saving = bench.train.ModelCheckpoint("net", "a", config)
        bench.model().train(2, bench.data(), saving)
    loaded = bench.ms.load_checkpoint(saving.latest_ckpt_file_name)
    names = ("epoch_num", "step_num", "rate", "said")
    return files_in("a"), [
        str(getattr(loaded[n], "asnumpy", lambda n=n: loaded[n])()) for n in names
    ]


@program
def checkpoints_of_another_network(bench):
    config = bench.train.CheckpointConfig(saved_network=bench.net(), format="safetensors")
    saving = bench.train.ModelCheckpoint("net", "a/b", config)
    bench.model().train(1, bench.data(), saving)
    loaded = bench.ms.load_checkpoint(saving.latest_ckpt_file_name, format="safetensors")
    return files_in("a/b"), {name: value.asnumpy().tolist() for name, value in loaded.items()}


@program
def checkpoints_named_by_functions(bench):
    saving = bench.train.ModelCheckpoint(
        lambda asked: f"z{asked.cur_step_num}", lambda asked: f"e{asked.cur_epoch_num}"
    )
    bench.model().train(2, bench.data(), saving)
    return files_in("e1"), files_in("e2")


@program
def checkpoints_in_the_background(bench):
    config = bench.train.CheckpointConfig(async_save=True)
    bench.model().train(1, bench.data(), bench.train.ModelCheckpoint("net", "a", config))
    return files_in("a")


@program
def a_checkpoint_at_a_failure(bench):
    def fail(context):
        if context.original_args().cur_step_num == 5:
            raise ValueError("no more")

    config = bench.train.CheckpointConfig(100, exception_save=True)
    callbacks = [bench.train.LambdaCallback(on_train_step_begin=fail),
                 bench.train.ModelCheckpoint("net", "a", config)]  # fmt: skip
    try:
        bench.model().train(3, bench.data(), callbacks)
    except ValueError as error:
        return str(error), files_in("a")


@program
def policies(bench):
    config = bench.train.CheckpointConfig
    made = [
        config(),
        config(0, 10),
        config(5, 10, 0, 3),
        config(keep_checkpoint_max=0),
        config(3, 0, 7, 9),
    ]
    return [each.get_checkpoint_policy() for each in made]
