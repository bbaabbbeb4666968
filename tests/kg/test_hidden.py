"""The driver is imported without pandas, which stays importable."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kg.bolt import _hidden


def in_a_new_process(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.slow
def test_the_store_does_not_import_pandas() -> None:
    assert in_a_new_process("import sys, kg.bolt; print('pandas' in sys.modules)") == "False"


@pytest.mark.slow
def test_pandas_can_be_imported_afterwards() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed (extra: frames)")
    assert in_a_new_process("import kg.bolt, pandas; print(pandas.DataFrame([[1]]).shape)") == "(1, 1)"


def test_what_was_imported_before_stays() -> None:
    import json

    with _hidden("json"):
        import json as again
    assert again is json


def test_what_is_hidden_is_not_found_within_the_block() -> None:
    sys.modules.pop("this", None)
    with _hidden("this"), pytest.raises(ImportError):
        import this  # noqa: F401
    assert "this" not in sys.modules
