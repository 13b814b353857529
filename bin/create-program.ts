import { Command } from 'commander';
import { packageVersion } from '../spec/package-facts.ts';
import { addExamples } from './add-examples.ts';
import { addCertifyCommand } from './commands/certify.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConformanceCommand } from './commands/conformance.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addExportCommand } from './commands/export.ts';
import { addFixturesCommand } from './commands/fixtures.ts';
import { addLoadCommand } from './commands/load.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addMockCommand } from './commands/mock.ts';
import { addRulesCommand } from './commands/rules.ts';

/** All of the command line, with nothing parsed yet. Errors of usage are thrown as CommanderError. */
export function createProgram(): Command {
  const program = new Command('partnerkit')
    .description('A mock, a conformance runner and k6 load verdicts for the partner API, over one contract.')
    .version(packageVersion(), '--version', 'print the version')
    .showHelpAfterError('(add --help to see the options)')
    .showSuggestionAfterError()
    .exitOverride();
  // Commands inherit the settings above, so they are added by name here and not as finished objects.
  addMockCommand(program);
  addConformanceCommand(program);
  addCertifyCommand(program);
  addLoadCommand(program);
  addFixturesCommand(program);
  addExportCommand(program);
  addRulesCommand(program);
  addMcpCommand(program);
  addDoctorCommand(program);
  addCompletionCommand(program);
  addExamples(program);
  return program;
}
