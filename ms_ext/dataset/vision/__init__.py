"""``ms.dataset.vision``: changes of one image, height x width x channels of a NumPy array.

>>> import numpy as np
>>> from ms_ext.dataset import vision
>>> vision.HWC2CHW()(np.zeros((28, 20, 3))).shape
(3, 28, 20)
"""

from .colours import HWC2CHW, Normalize, Rescale, ToNumpy, ToPIL, ToTensor, ToType
from .cropping import CenterCrop, Crop, Pad, RandomCrop
from .flipping import HorizontalFlip, RandomHorizontalFlip, RandomVerticalFlip, VerticalFlip
from .kinds import Border, Inter
from .resizing import Resize

__all__ = [
    "Border",
    "CenterCrop",
    "Crop",
    "HWC2CHW",
    "HorizontalFlip",
    "Inter",
    "Normalize",
    "Pad",
    "RandomCrop",
    "RandomHorizontalFlip",
    "RandomVerticalFlip",
    "Rescale",
    "Resize",
    "ToNumpy",
    "ToPIL",
    "ToTensor",
    "ToType",
    "VerticalFlip",
]
