"""What the engine says of a game that was played: mistakes, why they were, how well each played."""

from sumito.review.faults import Fault, FaultCode, faults
from sumito.review.judgement import Verdict, accuracy, loss

__all__ = ["Fault", "FaultCode", "Verdict", "accuracy", "faults", "loss"]
