import { mayCall } from '@svc/contract';
import { Navigate, Outlet } from '@tanstack/react-router';
import { type Data, routeOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import type { ListedProgram } from '../../api/program.ts';
import { QueryState, Skeleton } from '../../ui/feedback/query-state.tsx';
import { useBrandColor } from '../../ui/layout/brand-look.ts';
import { ProgramNameContext } from '../../ui/layout/document-title.ts';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { ProgramStatusNotice } from '../../ui/layout/program-status-notice.tsx';
import { NotFoundPage } from '../error-pages.tsx';
import type { NavGroup } from './navigation.ts';
import { Shell } from './shell.tsx';
import { UnconfirmedAddress } from './unconfirmed-address.tsx';
import { ViewingBar } from './viewing-bar.tsx';

type ProgramLayoutProps = { side: 'brand' | 'partner'; groups: NavGroup[] };

/** The pages of a program for its brand or for its partners. For everyone else the program does not exist. */
export function ProgramLayout({ side, groups }: ProgramLayoutProps) {
  const programId = useProgramId();
  const programs = useApiQuery('managePrograms');
  const me = useApiQuery('manageMe');
  return (
    <QueryState query={programs}>
      {({ data }) => {
        // What is said above the page is known before the page appears, so that nothing moves.
        if (me.isPending) return <Skeleton />;
        const program = data.find(({ id, role }) => id === programId && (role === 'partner') === (side === 'partner'));
        if (!program) return side === 'brand' ? <HiddenProgram /> : <NotFoundPage />;
        return (
          <ProgramNameContext value={program.name}>
            <ProgramFrame
              program={program}
              user={me.data?.data.user}
              groups={groups.map((group) => shownTo(program, group))}
            />
          </ProgramNameContext>
        );
      }}
    </QueryState>
  );
}

/** Without the second factor that their workspace requires, members see none of its programs. */
function HiddenProgram() {
  const me = useApiQuery('manageMe');
  return (
    <QueryState query={me}>
      {({ data }) => (data.needs_second_factor ? <Navigate to="/app/account" replace /> : <NotFoundPage />)}
    </QueryState>
  );
}

/** The pages of a group that the user’s role may open. */
function shownTo({ role }: ListedProgram, { items, ...group }: NavGroup): NavGroup {
  return { ...group, items: items.filter(({ route }) => route === undefined || mayCall(role, routeOf(route))) };
}

type ProgramFrameProps = { program: ListedProgram; user: Data<'manageMe'>['user'] | undefined; groups: NavGroup[] };

/** The frame of the program’s pages. Partners see it in the brand’s color. */
function ProgramFrame({ program, user, groups }: ProgramFrameProps) {
  useBrandColor(program.role === 'partner' ? program.brand_color : null);
  return (
    <Shell program={program} groups={groups}>
      <ViewingBar />
      <ProgramStatusNotice program={program} />
      <UnconfirmedAddress user={user} />
      <Outlet key={program.id} />
    </Shell>
  );
}
