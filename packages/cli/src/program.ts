import { COMMISSION_TYPE_NAMES } from '@svc/contract';
import { Argument, Command, Option } from 'commander';
import { doctor } from './commands/doctor.ts';
import { explain } from './commands/explain.ts';
import { init } from './commands/init.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { programs } from './commands/programs.ts';
import { status } from './commands/status.ts';
import { TESTS, test } from './commands/test.ts';
import { whoami } from './commands/whoami.ts';
import type { Session } from './session.ts';

type Run = (options: never, session: Session, argument: string) => Promise<unknown>;
type Perform = (command: Command, run: (session: Session) => Promise<unknown>) => Promise<void>;

/** The command line: names, flags and which command each one runs. */
export function createProgram(version: string, template: string, perform: Perform): Command {
  const program = new Command('svc')
    .description('Sets up affiliate attribution in a project and verifies it.')
    .version(version)
    .option('--json', 'print JSON alone on stdout')
    .option('--no-interactive', 'ask nothing; fail where an answer is missing')
    .option('-y, --yes', 'agree to what would be asked')
    .option('-q, --quiet', 'leave out words that are not needed')
    .option('--api-url <url>', 'address of the service (else SVC_API_URL, .svc/.env)')
    .option('--api-key <key>', 'program key (else SVC_API_KEY, .svc/.env)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({ outputError: () => undefined });

  const add = (name: string, description: string, run: Run) => {
    const command = program.command(name).description(description);
    return command.action(() =>
      perform(command, (session) => run(command.opts() as never, session, command.args[0] ?? '')),
    );
  };

  add('login', 'sign in through the browser', (options, session) => login(session, options))
    .option('--browser', 'open the browser also with --json or --no-interactive')
    .option('--no-browser', 'do not open the browser')
    .option('--start', 'only start: print the address and the code, do not wait')
    .option('--state <state>', 'wait for a login that --start began');
  add('logout', 'revoke the sign-in and forget it', (_options, session) => logout(session));
  add('whoami', 'tell who is signed in', (_options, session) => whoami(session));
  add('init', 'make a program and write its files into this folder', (options, session) =>
    init(session, options, template),
  )
    .option('--name <name>', 'name of the program')
    .option('--domain <domain>', 'domain of the site')
    .option('--commission-type <type>', COMMISSION_TYPE_NAMES.join(', '))
    .option('--commission-rate <number>', 'percent, or whole units of the currency')
    .option('--cookie-days <days>', 'how long a click is remembered')
    .option('--recurring-months <months>', 'how long renewals earn')
    .addOption(origins('--origin <url>', 'another origin that may report, like http://localhost:3000 (repeatable)'))
    .option('--program <id>', 'take this program and refresh its files; a key stays as it is');
  add('programs', 'list your programs', (_options, session) => programs(session));
  add('status', 'what has arrived, and how far the integration has come', (_options, session) => status(session));
  add('test', 'send a test event, or the whole chain', (_options, session, what) =>
    test(session, what as never),
  ).addArgument(new Argument('<event>', 'what to send').choices(TESTS));
  add('explain', 'tell what became of a sale, a customer or a click, and why', (options, session) =>
    explain(session, options),
  )
    .option('--transaction <id>', 'a transaction_id')
    .option('--customer <key>', 'a customer_key')
    .option('--click <id>', 'a click_id')
    .option('--program <id>', 'the program (else SVC_PROGRAM_ID in .svc/.env)');
  add('doctor', 'check address, key, origin and readiness, and say what to do next', (options, session) =>
    doctor(session, options),
  ).addOption(origins('--origin <url>', 'an origin to check; the site’s own when left out (repeatable)'));
  return program;
}

const origins = (flags: string, description: string) =>
  new Option(flags, description).argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
