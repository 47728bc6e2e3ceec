import { COMMISSION_TYPE_NAMES, FEED_EVENT_TYPES, TOKEN_SCOPES } from '@svc/contract';
import { Argument, Command, Option } from 'commander';
import { batch } from './commands/batch.ts';
import { doctor } from './commands/doctor.ts';
import { events } from './commands/events.ts';
import { explain } from './commands/explain.ts';
import { init } from './commands/init.ts';
import { createKey, listKeys, retireKey } from './commands/keys.ts';
import { addLink, listLinks } from './commands/links.ts';
import { listen } from './commands/listen.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { addOrigins, listOrigins } from './commands/origins.ts';
import { addPartner, listPartners } from './commands/partners.ts';
import { programs } from './commands/programs.ts';
import { status } from './commands/status.ts';
import { applyTerms, planTerms, pullTerms } from './commands/terms.ts';
import { TESTS, test } from './commands/test.ts';
import { createToken, listTokens, revokeToken } from './commands/tokens.ts';
import { trigger } from './commands/trigger.ts';
import { whoami } from './commands/whoami.ts';
import { completionScript, SHELLS } from './completion-script.ts';
import { IMPORT_SOURCES } from './import/sources.ts';
import type { Screen } from './output.ts';
import type { Session } from './session.ts';

const DEFAULT_COLUMNS = 80;

type Run = (options: never, session: Session, words: string[]) => Promise<unknown>;
type RunInSession = (command: Command, run: (session: Session) => Promise<unknown>) => Promise<void>;
type Surroundings = { version: string; template: string; stdout: Screen; stderr: Screen };
type Add = (name: string, description: string, run: Run) => Command;

/** The command line: names, flags and which command each one runs. */
export function createCommandLine({ version, template, stdout, stderr }: Surroundings, runInSession: RunInSession) {
  const svc = new Command('svc')
    .description('Set up affiliate attribution in a project and verify it.')
    .version(version)
    .option('--json', 'print JSON on stdout and nothing else')
    .option('--no-interactive', 'never prompt; fail when input is missing')
    .option('-y, --yes', 'answer yes to every prompt')
    .option('-q, --quiet', 'print only the result')
    .option('--api-url <url>', 'URL of the service (default: SVC_API_URL, then .svc/.env)')
    .option('--api-key <key>', 'program key (default: SVC_API_KEY, then .svc/.env)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      outputError: () => undefined,
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
    });

  const addTo =
    (parent: Command): Add =>
    (name, description, run) => {
      const command = parent.command(name).description(description);
      return command.action(() =>
        runInSession(command, (session) => run(command.opts() as never, session, command.args)),
      );
    };
  const add = addTo(svc);
  addAccountCommands(add);
  add('init', 'create a program and write its files to this folder', (options, session) =>
    init(session, options, template),
  )
    .option('--name <name>', 'program name')
    .option('--domain <domain>', 'domain of the site')
    .option('--commission-type <type>', COMMISSION_TYPE_NAMES.join(', '))
    .option('--commission-rate <number>', 'percentage, or amount in whole units of the currency')
    .option('--cookie-days <days>', 'how many days a click is remembered')
    .option('--recurring-months <months>', 'how many months renewals earn a commission')
    .addOption(origins('--origin <url>', 'another allowed origin, such as http://localhost:3000 (repeatable)'))
    .option('--program <id>', 'use an existing program: refresh its files and keep its key')
    .option('--relay', 'let your own server set the click cookie: adds the relay to the instructions')
    .option('--no-relay', 'let the tracker set the click cookie');
  add('programs', 'list your programs', (_options, session) => programs(session));
  const addGroup = (name: string, description: string) => addTo(svc.command(name).description(description));
  addOriginCommands(addGroup('origins', 'list or add allowed origins'));
  addPartnerCommands(addGroup('partners', 'list or add partners'));
  addLinkCommands(addGroup('links', 'list or add referral links'));
  addKeyCommands(addGroup('keys', 'list, create or retire API keys'));
  addTokenCommands(addGroup('tokens', 'list, create or revoke account tokens'));
  addTermsCommands(addGroup('terms', 'plan and publish the commission rules in a file'));
  addMovingCommands(add, addGroup('export', 'take everything out of the service'));
  addEventCommands(add);
  addCheckCommands(add);
  add('completions', 'print a script that completes commands in your shell', async (_options, session, [shell]) =>
    session.stdout.write(completionScript(svc, shell as never)),
  ).addArgument(new Argument('<shell>', 'your shell').choices(SHELLS));
  return svc;
}

function addAccountCommands(add: Add): void {
  add('login', 'sign in through the browser', (options, session) => login(session, options))
    .option('--browser', 'open the browser even with --json or --no-interactive')
    .option('--no-browser', 'do not open the browser')
    .option('--start', 'start a login, print its URL and code, and exit')
    .option('--state <state>', 'finish a login started with --start');
  add('logout', 'sign out and revoke the token', (_options, session) => logout(session));
  add('whoami', 'show who is signed in', (_options, session) => whoami(session));
}

function addOriginCommands(add: Add): void {
  add('list', 'list the origins whose pages may report', (options, session) => listOrigins(session, options)).addOption(
    program(),
  );
  add('add', 'allow the pages of an origin to report', (options, session, words) => addOrigins(session, options, words))
    .argument('<url...>', 'an origin, such as http://localhost:3000')
    .addOption(program());
}

function addPartnerCommands(add: Add): void {
  add('list', 'list partners', (options, session) => listPartners(session, options))
    .addOption(all())
    .addOption(program());
  add('add', 'add a partner', (options, session) => addPartner(session, options))
    .requiredOption('--name <name>', 'name of the partner')
    .requiredOption('--email <email>', 'email address of the partner')
    .option('--external-id <id>', 'your own id of the partner')
    .addOption(program());
}

function addLinkCommands(add: Add): void {
  add('list', 'list referral links', (options, session) => listLinks(session, options))
    .addOption(all())
    .addOption(program());
  add('add', 'create a referral link, or get the test link', (options, session) => addLink(session, options))
    .option('--partner <id>', 'the partner whose link it is')
    .option('--test', 'the test link, whose visitors count nowhere')
    .option('--short-link <name>', 'the value of ?aff= (default: generated)')
    .option('--to <url>', 'where the link leads (default: the start page of the site)')
    .option('--label <text>', 'what lists show')
    .addOption(program());
}

function addKeyCommands(add: Add): void {
  add('list', 'list the API keys, masked', (options, session) => listKeys(session, options)).addOption(program());
  add('create', 'create an API key beside the others', (options, session) => createKey(session, options))
    .option('--test', 'a test key: everything that is reported with it is a test event')
    .addOption(program());
  add('retire', 'end an API key', (options, session, words) => retireKey(session, options, words))
    .argument('<id>', 'the id of the key')
    .addOption(program());
}

function addTokenCommands(add: Add): void {
  add('list', 'list your account tokens', (_options, session) => listTokens(session));
  add('create', 'create a token for a script or a machine', (options, session) => createToken(session, options))
    .requiredOption('--name <name>', 'what it is for')
    .addOption(new Option('--scope <scope...>', 'what it may do').choices(TOKEN_SCOPES).makeOptionMandatory())
    .option('--days <days>', 'how long it works, as long as your sign-in at most (default: 90)')
    .option('--program <id>', 'the only program that it works for; required with track');
  add('revoke', 'end an account token', (_options, session, words) => revokeToken(session, words)).argument(
    '<id>',
    'the id of the token',
  );
}

function addTermsCommands(add: Add): void {
  const period = (command: Command) =>
    command
      .argument('<file>', 'a YAML file')
      .addOption(program())
      .option('--from <date>', 'first day to compare with (default: last quarter)')
      .option('--to <date>', 'day after the last one');
  period(
    add('plan', 'compare the commission rules in a file with the past', (options, session, [file = '']) =>
      planTerms(session, file, options),
    ),
  );
  period(
    add('apply', 'publish the commission rules in a file', (options, session, [file = '']) =>
      applyTerms(session, file, options),
    ),
  );
  add('pull', 'print the commission rules in force as a file', (options, session) =>
    pullTerms(session, options),
  ).addOption(program());
}

function addMovingCommands(add: Add, addExport: Add): void {
  add(
    'import',
    'import partners, links, customers and balances from another tool',
    async (options, session, [tool]) => {
      // Reading other tools is much code, and no other command needs it.
      const { importFrom } = await import('./commands/import.ts');
      return importFrom(session, tool as never, options);
    },
  )
    .addArgument(new Argument('<tool>', 'the tool to import from, or csv for files').choices(IMPORT_SOURCES))
    .option('--dry-run', 'show what would happen and change nothing (default)')
    .option('--apply', 'import it, after showing what will happen')
    .option('--verify', 'open every old address and say whom it credits')
    .option('--undo', 'take the import back, except what has had activity')
    .option('--pay-approved', 'with --apply: make approved amounts payable here')
    .option('--set-link-parameters', 'with --apply: let the program read the parameters of the old links')
    .option('--currency <code>', 'the currency of amounts that have none (default: that of the program)')
    .option('--known-sale <id=amount>', 'a sale whose amount you know, such as ch_123=49.00')
    .option('--mapping <file>', 'for csv: the file that says what the columns mean')
    .option('--fresh', 'read the tool again instead of using what was read before')
    .option('--tool-url <url>', 'the address of the API of the tool, if it is not the usual one')
    .addOption(program());
  addExport(
    'all',
    'write partners, links, customers, sales, commissions and payouts to files',
    async (options, session) => {
      const { exportAll } = await import('./commands/export.ts');
      return exportAll(session, options);
    },
  )
    .requiredOption('--to <folder>', 'the folder to write to; it is created')
    .option('--force', 'write to a folder that is not empty')
    .addOption(program());
}

function addEventCommands(add: Add): void {
  const types = () => new Option('--types <types>', 'only these types, separated by commas');
  const after = () => new Option('--after <sequence>', 'start after this event');
  const secret = () => new Option('--secret <secret>', 'what to sign with (default: the secret of this project)');
  add('events', 'print the newest events', (options, session) => events(session, options))
    .option('-f, --follow', 'go on with each event that happens, until Ctrl-C')
    .addOption(after())
    .addOption(types())
    .option('--limit <count>', 'how many events, or with --follow how many to start with (default: 20)');
  add('listen', 'forward events to your handler as they happen, signed like webhooks', (options, session) =>
    listen(session, options),
  )
    .requiredOption('--forward-to <url>', 'the address of your handler, such as http://localhost:3000/hook')
    .addOption(secret())
    .addOption(after())
    .addOption(types());
  add('trigger', 'send a made-up event to your handler; nothing is recorded', (options, session, [type]) =>
    trigger(session, type as never, options),
  )
    .addArgument(new Argument('<type>', 'the type of the event').choices(FEED_EVENT_TYPES))
    .option('--forward-to <url>', 'the address of your handler (default: where `svc listen` last forwarded to)')
    .addOption(secret());
}

function addCheckCommands(add: Add): void {
  add('status', 'show recent events and readiness', (_options, session) => status(session));
  add('batch', 'report the leads, sales and refunds in a file', (_options, session, [file = '']) =>
    batch(session, file),
  ).argument('<file>', 'JSON lines or a JSON list; - for stdin');
  add('test', 'send a test event or the full test chain', (_options, session, [event]) =>
    test(session, event as never),
  ).addArgument(new Argument('<event>', 'what to send').choices(TESTS));
  add('explain', 'explain what happened to a sale, a customer or a click', (options, session) =>
    explain(session, options),
  )
    .option('--transaction <id>', 'a transaction_id')
    .option('--customer <key>', 'a customer_key')
    .option('--click <id>', 'a click_id')
    .addOption(program());
  add('doctor', 'check service, key, origin and readiness, and suggest the next step', (options, session) =>
    doctor(session, options),
  ).addOption(origins('--origin <url>', 'an origin to check (repeatable; default: the origin of the site)'));
  add('mcp', 'offer the tools of the service to an AI assistant, over stdin and stdout', async (_options, session) => {
    // The protocol is large, and no other command needs it.
    const { mcp } = await import('./commands/mcp.ts');
    return mcp(session);
  });
}

const widthOf = ({ isTTY, columns }: Screen) => (isTTY && columns) || DEFAULT_COLUMNS;

const all = () => new Option('--all', 'list all of them, not only the newest 100');

const program = () => new Option('--program <id>', 'the program (default: SVC_PROGRAM_ID in .svc/.env)');

const origins = (flags: string, description: string) =>
  new Option(flags, description).argParser((value: string, previous: string[] | undefined) => [
    ...(previous ?? []),
    value,
  ]);
