"""Game review: mistakes with their reasons, and the accuracy of each player."""

from sumito.review.faults import Fault, FaultCode, faults
from sumito.review.judgement import Verdict, accuracy, loss

__all__ = ["Fault", "FaultCode", "Verdict", "accuracy", "faults", "loss"]
