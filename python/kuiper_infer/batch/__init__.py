# SPDX-License-Identifier: MIT
"""Models on tables of rows: the parts of ``kuiper-batch``, which also serve Ray Data, Spark and Dask.

`TableModel` runs a model on an Arrow table; `kuiper_infer.batch.__main__` is the program. See docs/batch.md.
"""

from .._extras import require

require("batch", "pyarrow", "fsspec", "tqdm")

from .pictures import PictureOptions  # noqa: E402  # what they import is there now
from .tables import Predicted, TableModel  # noqa: E402

__all__ = ["PictureOptions", "Predicted", "TableModel"]
