"""Commands of az for managed OpenShift clusters, of Azure Red Hat OpenShift and of compatible services."""

from azure.cli.core import AzCommandsLoader
from azure.cli.core.commands import CliCommandType


class AroCommandsLoader(AzCommandsLoader):
    def __init__(self, cli_ctx=None):
        commands = CliCommandType(operations_tmpl=f"{__name__}.custom#{{}}")
        super().__init__(cli_ctx=cli_ctx, custom_command_type=commands)

    def load_command_table(self, args):
        from ._commands import load_command_table

        load_command_table(self)
        return self.command_table

    def load_arguments(self, command):
        from ._params import load_arguments

        load_arguments(self)


COMMAND_LOADER_CLS = AroCommandsLoader
