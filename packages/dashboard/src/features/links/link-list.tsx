import { Link2, QrCode } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Call, Row } from '../../api/client.ts';
import { useAction, useRead } from '../../api/hooks.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CopyButton } from '../../ui/forms/copy.tsx';
import { useListFilters, useProgramId } from '../../ui/layout/urls.ts';
import { EmptyList } from '../../ui/lists/empty.tsx';
import { FilterSelect, FilterText } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { Time } from '../../ui/records/time.tsx';

const QrDialog = lazy(() => import('../../ui/records/qr.tsx'));

type ListedLink = Row<'manageLinks'>;
type Query = NonNullable<Call<'manageLinks'>['query']>;

const SWITCHED = [
  ['true', 'On'],
  ['false', 'Off'],
] as const;

type LinkListProps = { partnerColumn?: Column<ListedLink>; partnerFilter?: ReactNode; create: ReactNode };

/** Links to copy, to show as a code and to switch; those of a program, or those of a partner. */
export function LinkList({ partnerColumn, partnerFilter, create }: LinkListProps) {
  const programId = useProgramId();
  const say = useToast();
  const { filters, cursor, isFiltered } = useListFilters('q', 'active', 'partner_id');
  const [shown, setShown] = useState<ListedLink | null>(null);
  const links = useRead('manageLinks', {
    params: { program_id: programId },
    query: { ...filters, cursor } as Query,
  });
  const switching = useAction('manageUpdateLink', (link) => say(`${link.short_link} is ${link.active ? 'on' : 'off'}`));
  return (
    <>
      <List
        label="Links"
        read={links}
        keyOf={({ id }) => id}
        tools={
          <>
            <FilterText name="q" label="Search links" placeholder="Part of a link" />
            {partnerFilter}
            <FilterSelect name="active" label="On and off" choices={SWITCHED} />
          </>
        }
        columns={[
          {
            title: 'Link',
            show: ({ short_link: name, url }) => (
              <div className="max-w-36 min-w-0 md:max-w-[26rem]">
                <span className="font-mono text-[0.8125rem] font-medium">{name}</span>
                <div className="truncate text-[0.8125rem] text-quiet" title={url}>
                  {url}
                </div>
              </div>
            ),
          },
          ...(partnerColumn ? [partnerColumn] : []),
          {
            title: 'State',
            isExtra: true,
            show: (link) => <Badge tone={link.active ? 'good' : 'neutral'}>{link.active ? 'On' : 'Off'}</Badge>,
          },
          { title: 'Made', isExtra: true, show: ({ created_at: at }) => <Time at={at} /> },
          {
            title: 'Actions',
            isTitleHidden: true,
            isNumber: true,
            show: (link) => (
              <div className="flex justify-end gap-1">
                <CopyButton text={link.url} label={`Copy ${link.short_link}`} isIconOnly />
                <Button
                  size="small"
                  look="quiet"
                  aria-label={`QR code of ${link.short_link}`}
                  title="QR code"
                  onClick={() => setShown(link)}
                >
                  <QrCode size={15} aria-hidden />
                </Button>
                <Button
                  size="small"
                  aria-label={`Switch ${link.active ? 'off' : 'on'} ${link.short_link}`}
                  onClick={() =>
                    switching.mutate({
                      params: { program_id: programId, link_id: link.id },
                      body: { active: !link.active },
                    })
                  }
                >
                  {link.active ? 'Switch off' : 'Switch on'}
                </Button>
              </div>
            ),
          },
        ]}
        empty={
          <EmptyList icon={Link2} what={['link', 'links']} isFiltered={isFiltered} action={create}>
            A link says who sent the visitor. Make one, share it, and every click on it is counted.
          </EmptyList>
        }
      />
      {shown && (
        <Suspense>
          <QrDialog url={shown.url} name={shown.short_link} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </>
  );
}
