import { KEPT_REASONS, manageImports, manageUndoImport } from '@svc/contract';
import { CANCELLED, Failure } from '../failure.ts';
import type { Session } from '../session.ts';
import type { Access } from './access.ts';
import { several } from './report.ts';

/** Takes the import of a source back after asking, and says what was kept and why. */
export async function undoImport(session: Session, { params, token, signal }: Access, name: string): Promise<number> {
  const { api, out, flags, prompts } = session;
  const { data: imports } = await api.call(manageImports, { params, token, signal, query: { limit: 100 } });
  const found = imports.find(({ source, status }) => source === name && status !== 'undone');
  if (!found) throw new Failure(`This program has no import from ${name} to undo.`);
  if (!flags.yes) {
    const { partners, links, customers } = found.created;
    const message = `Undo import ${found.id}, which created ${several(partners, 'partner')}, ${several(links, 'link')} and ${several(customers, 'customer')}?`;
    const picked = await prompts.choose('--yes', message, [
      { value: 'yes', label: 'Undo' },
      { value: 'no', label: 'Cancel' },
    ]);
    if (picked === 'no') throw new Failure('Cancelled. Nothing was changed.', { exitCode: CANCELLED });
  }
  const call = { params: { ...params, import_id: found.id }, token, signal };
  const undone = await out.withSpinner('Undoing', async () => {
    for (;;) {
      const { data } = await api.call(manageUndoImport, call);
      if (data.status !== 'undoing') return data;
      out.note(`Removed ${Object.values(data.removed).reduce((sum, count) => sum + count, 0)} so far`);
    }
  });
  const removed = Object.entries(undone.removed).map(([kind, count]) => `${count} ${kind}`);
  out.result(undone, [
    `Undid import ${undone.id}. Removed: ${removed.join(', ')}.`,
    ...(undone.kept.length > 0 ? ['Kept:'] : []),
    ...undone.kept.map(({ kind, reason, count }) => `  ${several(count, kind)}: ${KEPT_REASONS[reason]}`),
  ]);
  return 0;
}
