"""`python -m shedjoin doctor`, `demo`, `simulate`, `compare` and `experiments`."""

import sys

from shedjoin import ShedJoinError, _doctor, demo


def main(arguments: list[str]) -> int | str:
    """The exit code of a command, or the error that a user can mend."""
    try:
        match arguments:
            case ["doctor"]:
                return _doctor.main()
            case ["demo", *options]:
                return demo.main(options)
            case ["simulate" | "compare", *_]:
                from shedjoin.sim import _cli

                return _cli.main(arguments)
            case ["experiments", *options]:
                from shedjoin.sim.experiments import _cli as experiments

                return experiments.main(options)
    except ShedJoinError as error:
        return str(error)
    except KeyboardInterrupt:
        return "stopped"
    return "usage: python -m shedjoin doctor|demo|simulate|compare|experiments"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
