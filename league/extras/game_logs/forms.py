from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django import forms
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm
from league.core.text import labelled
from league.extras.game_logs.imports import (
    MOST_FILES,
    MOST_PACKED,
    ReadFile,
    pack_files,
    read_file,
    unpack_files,
)
from league.extras.game_logs.queries import Name, NameLine
from league.models import Seat, Stage
from league.models.game_logs import Service
from league.people.members.queries import PlayerInfo

TOO_MANY = _("These are too many games for one page. Choose at most 60 files, or fewer if they are large.")


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        files = data or [None]  # which is refused as missing
        if len(files) > MOST_FILES:
            raise ValidationError(TOO_MANY)
        return [super(FilesField, self).clean(file, initial) for file in files]


class UploadForm(forms.Form):
    logs = FilesField(
        label=_("Files"),
        allow_empty_file=True,  # which is named beside the others
        help_text=_("One file per game, at most 60: tenhou.net/6 (.json) or mjlog (.mjlog, .xml, .gz)."),
    )
    stage = forms.TypedChoiceField(label=_("Stage"), coerce=int)

    def __init__(self, *args: Any, stages: Collection[Stage], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        several = len({stage.division_id for stage in stages}) > 1
        self.fields["stage"].choices = [  # type: ignore[attr-defined]
            (stage.pk, labelled(stage.division.name, stage.name) if several else stage.name)
            for stage in stages
        ]
        if len(stages) == 1:
            self.fields["stage"].widget = forms.HiddenInput()
            self.fields["stage"].initial = next(iter(stages)).pk

    def clean_logs(self) -> list[ReadFile]:
        read = [read_file(each.name or "", each.read()) for each in self.cleaned_data["logs"]]
        if len(pack_files(read)) > MOST_PACKED:
            raise ValidationError(TOO_MANY)
        return read


class GamesForm(KeyedForm):
    """The files of the preview and what it showed (`imports.pack_files`).

    `unfinished`: fingerprints of the games that are saved without their end.
    """

    games = forms.CharField(widget=forms.HiddenInput)
    unfinished = forms.TypedMultipleChoiceField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The fingerprints are compared with those of the games.
        self.fields["unfinished"].valid_value = lambda value: True  # type: ignore[attr-defined]

    def clean_games(self) -> dict[str, Any]:
        try:
            return unpack_files(self.cleaned_data["games"])
        except signing.BadSignature:
            raise ValidationError(_("The files did not arrive. Choose them again.")) from None


class NamesForm(forms.Form):
    """A choice of players for each name of the games. `files`: the names of the games' files."""

    def __init__(
        self,
        *args: Any,
        lines: Sequence[NameLine],
        people: Iterable[PlayerInfo],
        files: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.names = [line.name for line in lines]
        services = dict(Service.choices)
        several = len({name.service for name in self.names}) > 1
        choices = [("", "–"), *((info.player, info.label) for info in people)]
        for index, line in enumerate(lines):
            name = line.name.name
            label = labelled(services[line.name.service], name) if several else name or "–"
            if line.game is not None:
                place = {"name": label, "seat": Seat.Wind(line.seat).label, "file": files[line.game]}
                label = gettext("%(name)s, %(seat)s, %(file)s") % place
            self.fields[f"name_{index}"] = forms.TypedChoiceField(
                label=label,
                choices=choices,
                coerce=int,
                empty_value=None,
                required=False,
                initial=line.player or "",
                help_text=_("remembered") if line.is_remembered else "",
            )

    def players(self) -> dict[Name, int]:
        """Return name → player as sent, or as suggested by an unbound form."""
        self.is_valid()
        usual = {key: field.initial for key, field in self.fields.items()}
        found = zip(self.names, self.fields, strict=True)
        values = self.cleaned_data if self.is_bound else usual
        return {name: values[key] for name, key in found if values.get(key)}
