import { useNavigate } from '@tanstack/react-router';
import { change } from '../../api/change.ts';
import type { Row } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { formatSearch, parseSearch } from '../../rules/search.ts';
import { useToast, useUndoToast } from '../feedback/toast.tsx';
import { useSearchParams } from '../layout/search-params.ts';
import { SavedViews } from './saved-views.tsx';

type View = Row<'manageViews'>;

/** The views of a list that the person has saved. They are kept by the service, so they are there in every browser. */
export function ListViews({ programId, list }: { programId: number; list: View['list'] }) {
  const toast = useToast();
  const navigate = useNavigate();
  const [{ cursor: _, ...search }] = useSearchParams();
  const params = { program_id: programId };
  const views = useApiQuery('manageViews', { params });
  const undoToast = useUndoToast();
  const deletion = useApiMutation('manageDeleteView');
  const remove = (id: number) => {
    const view = own.find((each) => each.id === id);
    if (!view) return;
    const { name, query: saved } = view;
    const undo = { route: 'manageSaveView', done: `View “${name}” is back` } as const;
    deletion.mutate(
      { params: { ...params, view_id: id } },
      {
        onSuccess: () =>
          undoToast('View deleted', { ...undo, request: { params, body: { list, name, query: saved } } }),
        onError: (error) => toast(error.message, 'bad'),
      },
    );
  };
  const query = queryOf(search);
  const own = (views.data?.data ?? []).filter((view) => view.list === list);
  const save = async (name: string) => {
    await change('manageSaveView', { params, body: { list, name, query } });
    await views.refetch();
    toast(`View “${name}” saved`);
  };
  return (
    <SavedViews
      views={own.map(({ id, name, query: saved }) => ({ id, name, isCurrent: saved === query }))}
      onOpen={({ id }) => {
        const view = own.find((each) => each.id === id);
        if (view) void navigate({ to: '.', search: parseSearch(view.query) as never });
      }}
      onSave={save}
      onDelete={({ id }) => remove(Number(id))}
    />
  );
}

/** The filters and the order as a query string, whatever order they were chosen in. */
function queryOf(search: Record<string, unknown>): string {
  const entries = Object.entries(search).sort(([one], [other]) => one.localeCompare(other));
  return formatSearch(Object.fromEntries(entries)).replace('?', '');
}
