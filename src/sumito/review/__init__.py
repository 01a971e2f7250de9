"""Game review: mistakes with their reasons, and the accuracy of each player."""

from sumito.review.judgement import Verdict, accuracy, loss
from sumito.review.reasons import MistakeCode, MistakeReason, mistake_reasons

__all__ = ["MistakeCode", "MistakeReason", "Verdict", "accuracy", "loss", "mistake_reasons"]
