"""The upload form of a competition file, which reports every problem with its place."""

import hashlib

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.core.changes import Sent
from league.core.forms import KeyedForm, from_model
from league.models import ImportJob, League
from league.organizing.interchange.imports import read_competition_file
from league.organizing.interchange.schema import CompetitionFacts
from league.organizing.interchange.schema.problems import BrokenFile, FileProblem

MEGABYTE = 1024 * 1024
LARGEST = 20 * MEGABYTE
# Read and written while the person waits, in the server's own process: its objects take 60 MB at most.
SMALL = MEGABYTE // 4


class ImportForm(KeyedForm):
    """After ``is_valid``, ``facts`` holds a small file. It is None for a large file, which another process
    reads.
    """

    facts: CompetitionFacts | None = None

    file = forms.FileField(
        label=gettext_lazy("Competition file"),
        help_text=gettext_lazy("A .json file in Umaoka’s format, at most 20 MB."),
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )
    replace = from_model(ImportJob, "replace")
    removes = from_model(ImportJob, "removes", required=False)

    def __init__(self, *args: object, league: League, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.problems: tuple[FileProblem, ...] = ()
        self.stopped = False
        self.digest = ""
        if not league.competitions.exists():
            del self.fields["replace"], self.fields["removes"]

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST:
            message = _(
                "This file has %(size)s MB, but uploads may have only 20 MB. Import larger files on "
                "the server with manage.py import_competition."
            )
            raise forms.ValidationError(message % {"size": (file.size or 0) // MEGABYTE}, code="too_large")
        self.digest = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
        if (file.size or 0) > SMALL:
            return file
        try:
            self.facts = read_competition_file(file.read())
        except BrokenFile as broken:
            self.problems, self.stopped = broken.problems, broken.stopped
            raise forms.ValidationError(_count_problems(broken), code="broken") from broken
        return file

    def clean_removes(self) -> int:
        return self.cleaned_data["removes"] or 0

    def submission(self, *context: object) -> Sent:
        """Identify an upload by its content, not by its name."""
        said = [self.cleaned_data.get("replace", False), self.cleaned_data.get("removes")]
        return Sent.of(self.cleaned_data["key"], type(self).__name__, self.digest, *said, *context)


def _count_problems(broken: BrokenFile) -> str:
    count = len(broken.problems)
    if broken.stopped:
        return _("Nothing was saved: this file has more than %(count)s problems.") % {"count": count}
    message = ngettext(
        "Nothing was saved: this file has %(count)s problem.",
        "Nothing was saved: this file has %(count)s problems.",
        count,
    )
    return message % {"count": count}
