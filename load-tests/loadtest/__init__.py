"""What load-tests/run.py is made of. Python 3.8 or newer, standard library only."""
