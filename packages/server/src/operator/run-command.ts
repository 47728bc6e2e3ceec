import { ServiceError } from '@svc/contract';
import { type CommandOptions, type OperatorContext, OperatorError, type Report } from './command.ts';
import { operatorCommands } from './commands.ts';
import type { ControlReply, ControlRequest } from './control-socket.ts';

/** Runs an operator command on an open store. Mistakes and failures come back as text, never as an exception. */
export async function runCommand(
  ctx: OperatorContext,
  baseUrl: string,
  request: ControlRequest,
  report: Report = () => {},
): Promise<ControlReply> {
  const command = operatorCommands.find(({ name }) => name === request.command);
  if (!command) return { ok: false, text: `There is no command "${request.command}"` };
  try {
    const run = await command.load();
    return { ok: true, ...(await run(ctx, request.options as CommandOptions, baseUrl, report)) };
  } catch (error) {
    if (error instanceof OperatorError || error instanceof ServiceError) return { ok: false, text: error.message };
    ctx.log.error({ err: error, command: command.name }, 'Operator command failed');
    return { ok: false, text: `The command failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}
