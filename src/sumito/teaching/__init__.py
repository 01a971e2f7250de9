"""Teaching: a course of small tasks, the rulebook, and the glossary.

The shape of all three is data that page and terminal share (`course.json`, `rulebook.json`,
`figures.json`, `words.json`); their texts are in `texts/`, one file per language, under keys
derived from the shape: `lesson.sumito.2-1.task`, `rules.pac.1`, `figure.pac`, `word.det.use`.

>>> from sumito import teaching
>>> step = teaching.course()[3].steps[0]
>>> teaching.judge(step, "e3e4")
Answer(key='lesson.sumito.2-1.done', done=True)
>>> teaching.texts("de")["lesson.sumito.2-1.done"]
'Ein Sumito, 2 gegen 1!'
"""

from sumito.teaching.course import (
    Answer,
    ChooseStep,
    Lesson,
    MarkStep,
    PlayStep,
    ShowStep,
    StartStep,
    Step,
    TryStep,
    judge,
)
from sumito.teaching.course import course as course
from sumito.teaching.rulebook import (
    Figure,
    Figured,
    GlossaryWord,
    Passage,
    Section,
    figures,
    rulebook,
    words,
)
from sumito.teaching.texts import LANGUAGES, texts

__all__ = [
    "LANGUAGES",
    "Answer",
    "ChooseStep",
    "Figure",
    "Figured",
    "GlossaryWord",
    "Lesson",
    "MarkStep",
    "Passage",
    "PlayStep",
    "Section",
    "ShowStep",
    "StartStep",
    "Step",
    "TryStep",
    "course",
    "figures",
    "judge",
    "rulebook",
    "texts",
    "words",
]
