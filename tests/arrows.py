"""A contract of import-linter (pyproject.toml): what is private to a room is imported by that room alone."""

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class PrivateToRoom(Contract):
    """No module outside ``<root>.<wing>.<room>`` imports its ``private`` parts. ``shared``: wings for all."""

    type_name = "private_to_room"

    root = fields.StringField()
    private = fields.ListField(subfield=fields.StringField())
    shared = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        broken = sorted(
            (importer, module)
            for wing in graph.find_children(self.root)
            if wing.removeprefix(f"{self.root}.") not in self.shared
            for room in graph.find_children(wing)
            for part in self.private
            if (own := f"{room}.{part}") in graph.modules
            for module in {own, *graph.find_descendants(own)}
            for importer in graph.find_modules_that_directly_import(module)
            if importer != room and not importer.startswith(f"{room}.")
        )
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, module in check.metadata["broken"]:
            output.print_error(f"{importer} must not import {module}", bold=False)
