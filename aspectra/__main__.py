"""``python -m aspectra``."""

from aspectra.cli import main

main(prog_name="aspectra")
