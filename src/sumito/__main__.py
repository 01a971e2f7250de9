"""`python -m sumito` is the command `sumito`."""

from sumito.cli import main

if __name__ == "__main__":
    main()
