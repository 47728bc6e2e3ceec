import { Users } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { ApiError } from '../src/api/client.ts';
import { Button } from '../src/ui/forms/button.tsx';
import { BulkChoices } from '../src/ui/lists/bulk-choices.tsx';
import { BulkProgress } from '../src/ui/lists/bulk-progress.tsx';
import type { Column } from '../src/ui/lists/column.ts';
import { ColumnMenu } from '../src/ui/lists/column-menu.tsx';
import { CsvLink, ListExport } from '../src/ui/lists/csv-link.tsx';
import { DataTable } from '../src/ui/lists/data-table.tsx';
import { EmptyList, EmptyState } from '../src/ui/lists/empty-state.tsx';
import { FileLink } from '../src/ui/lists/file-link.tsx';
import { FilterDates, FilterSelect, FilterText } from '../src/ui/lists/filters.tsx';
import { List } from '../src/ui/lists/list.tsx';
import { ListPage } from '../src/ui/lists/list-page.tsx';
import { ListViews } from '../src/ui/lists/list-views.tsx';
import { Pager } from '../src/ui/lists/pager.tsx';
import { PeriodPicker } from '../src/ui/lists/period-picker.tsx';
import { SavedViews } from '../src/ui/lists/saved-views.tsx';
import { NOTHING, type Selection } from '../src/ui/lists/selection.ts';
import { SelectionBar } from '../src/ui/lists/selection-bar.tsx';
import { TopList } from '../src/ui/lists/top-list.tsx';
import type { Example } from './example.tsx';
import { useFailedQuery, useLoadedQuery, useLoadingQuery, useRefreshingQuery } from './query-states.ts';
import { LONG_NAME } from './sample-records.ts';

type Plant = { id: number; name: string; kind: string; price: string; note: string };

const PLANTS: Plant[] = [
  { id: 1, name: 'Fern', kind: 'Indoor', price: '$12.00', note: 'Likes shade' },
  { id: 2, name: LONG_NAME, kind: 'Indoor', price: '$1,250.00', note: 'A long note that takes more room than others' },
  { id: 3, name: 'Oak', kind: 'Outdoor', price: '$80.00', note: '' },
];
const COLUMNS: Column<Plant>[] = [
  { title: 'Name', sortBy: 'name', cell: ({ name }) => name },
  { title: 'Kind', showFrom: 'medium', isStacked: true, cell: ({ kind }) => kind },
  { title: 'Note', showFrom: 'wide', sortBy: 'note', cell: ({ note }) => note },
  { title: 'Bought', isHiddenByDefault: true, cell: () => 'Yesterday' },
  { title: 'Price', sortBy: 'price', isSortedDownFirst: true, isRightAligned: true, cell: ({ price }) => price },
  {
    title: 'Actions',
    isTitleHidden: true,
    cell: ({ id }) => (
      <Button size="small" aria-label={`Water plant ${id}`}>
        Water
      </Button>
    ),
  },
];
const WITH_TOTALS = COLUMNS.map((column) => (column.title === 'Price' ? { ...column, total: '$1,342.00' } : column));
const PAGE = { data: PLANTS, meta: { next_cursor: 'next' } };
const EMPTY_PAGE = { data: [] as Plant[], meta: { next_cursor: null } };
const FAILURE = new ApiError(500, { message: 'Something went wrong. Try again.' });
const SOME: Selection = { keys: new Set(['1']), isAll: false };
const WHOLE_PAGE: Selection = { keys: new Set(['1', '2', '3']), isAll: false };
const nothing = () => undefined;
const rowKey = ({ id }: Plant) => id;
const nameOf = ({ name }: Plant) => name;
const empty = (
  <EmptyList icon={Users} noun="plants" isFiltered={false} action={<Button variant="primary">Buy a plant</Button>}>
    Plants that you buy are listed here.
  </EmptyList>
);
const list = { columns: COLUMNS, rowKey, empty, noun: 'plants', onSort: nothing, sort: '-price' };
const toolbar = (
  <>
    <FilterText label="Search plants" placeholder="Name or kind" />
    <FilterSelect name="status" label="All kinds" options={[['active', 'Indoor']]} />
    <FilterDates />
  </>
);
const views = { onOpen: nothing, onDelete: nothing, onSave: async () => undefined };
const SAVED = [
  { id: 1, name: 'To approve', isCurrent: true },
  { id: 2, name: 'Large ones of this quarter, not paid yet', isCurrent: false },
];
const top = { nameTitle: 'Plant', currency: 'USD', nameCell: ({ name }: { name: string }) => name };
const group = {
  clicks: 1_200,
  sales: 14,
  money: [{ currency: 'USD', revenue_cents: 125_000, refunded_cents: 0, commission_cents: 25_000 }],
};

export const lists: readonly Example[] = [
  {
    name: 'DataTable: sorted, totals',
    isWide: true,
    show: () => (
      <DataTable
        label="Sorted plants"
        {...{ rowKey }}
        columns={WITH_TOTALS}
        rows={PLANTS}
        sort="name"
        onSort={nothing}
      />
    ),
  },
  {
    name: 'DataTable: some rows selected, one cannot be, narrow',
    show: () => (
      <DataTable
        label="Plants to select"
        {...{ rowKey }}
        columns={COLUMNS}
        rows={PLANTS}
        selecting={{ selection: SOME, onChange: nothing, nameOf, isSelectable: ({ id }) => id !== 3 }}
      />
    ),
  },
  {
    name: 'DataTable: a row with its details shown',
    isWide: true,
    press: 'button',
    until: 'button[aria-expanded=true]',
    show: () => (
      <DataTable
        label="Plants with details"
        {...{ rowKey }}
        columns={COLUMNS}
        rows={PLANTS}
        details={{ nameOf, show: ({ note }) => <p>{note}</p> }}
      />
    ),
  },
  { name: 'List with everything, selected', isWide: true, show: SelectedList },
  { name: 'List, loading', show: LoadingList },
  { name: 'List, while the next page loads', show: RefreshingList },
  { name: 'List, failed', until: '[role=alert] p', show: FailedList },
  { name: 'List, empty', show: EmptyPlants },
  { name: 'ListPage', isWide: true, frameHeight: 420, show: PlantPage },
  {
    name: 'ColumnMenu, open',
    frameHeight: 260,
    press: 'button',
    until: '[role=menu]',
    show: () => (
      <ColumnMenu columns={COLUMNS} shown={new Set(['Name', 'Kind', 'Price'])} choice={{}} onChange={nothing} />
    ),
  },
  {
    name: 'EmptyState',
    show: () => (
      <EmptyState icon={Users} title="Nobody is here" action={<Button>Invite somebody</Button>}>
        Everyone whom you invite is listed here as soon as they have accepted the invitation.
      </EmptyState>
    ),
  },
  { name: 'EmptyState, title only', show: () => <EmptyState icon={Users} title="Nobody is here" /> },
  {
    name: 'EmptyList, filtered',
    show: () => (
      <EmptyList icon={Users} noun="plants" isFiltered>
        Not shown
      </EmptyList>
    ),
  },
  {
    name: 'FilterSelect, FilterText, FilterDates: in use',
    isWide: true,
    at: '/app/programs/1/partners?status=active&q=ann&from=2026-03-01&to=2026-03-05',
    show: () => <div className="row">{toolbar}</div>,
  },
  {
    name: 'FilterDates, open',
    isWide: true,
    frameHeight: 600,
    press: 'button',
    until: '[role=grid]',
    show: () => <FilterDates />,
  },
  { name: 'PeriodPicker', show: () => <PeriodPicker /> },
  {
    name: 'PeriodPicker, days of its own',
    at: '/app/programs/1/overview?period=custom&from=2026-01-05&to=2026-02-20',
    show: () => <PeriodPicker />,
  },
  {
    name: 'Pager: first page, only a count',
    show: () => (
      <div className="stack">
        <Pager nextCursor="next" count={1_250} noun="plants" />
        <Pager nextCursor="next" count={1_250} noun="plants" shown={25} />
        <Pager nextCursor={null} count={1} noun="plants" />
      </div>
    ),
  },
  { name: 'Pager, last page', at: '/app/programs/1/sales?cursor=last', show: () => <Pager nextCursor={null} /> },
  {
    name: 'SelectionBar: some, the page, all',
    isWide: true,
    show: () => (
      <div className="apart">
        <Bar selection={SOME} isPageSelected={false} noun="plants" />
        <Bar selection={WHOLE_PAGE} isPageSelected noun="trees" />
        <Bar selection={{ ...WHOLE_PAGE, isAll: true }} isPageSelected noun="flowers" />
        <Bar selection={NOTHING} isPageSelected={false} noun="weeds" />
      </div>
    ),
  },
  {
    name: 'CsvLink: allowed',
    show: () => <CsvLink href="#file" />,
  },
  { name: 'ListExport', show: () => <ListExport href="#file" /> },
  { name: 'FileLink', show: () => <FileLink href="#file" label="Download statement" /> },
  {
    name: 'FileLink: small, beside its name',
    show: () => <FileLink href="#file" label="Download pain.001" size="small" isNamedBeside />,
  },
  { name: 'CsvLink: not allowed', at: '/app/programs/2/sales', show: () => <CsvLink href="#file" label="Export" /> },
  {
    name: 'SavedViews, open',
    frameHeight: 260,
    press: 'button',
    until: '[role=menu]',
    show: () => <SavedViews {...views} views={SAVED} />,
  },
  {
    name: 'SavedViews, none yet, open',
    frameHeight: 130,
    press: 'button',
    until: '[role=menu]',
    show: () => <SavedViews {...views} views={[]} />,
  },
  {
    name: 'ListViews, a view in use, open',
    at: '/app/programs/1/commissions?status=pending',
    frameHeight: 260,
    press: 'button',
    until: '[role=menu]',
    show: CommissionViews,
  },
  {
    name: 'TopList',
    show: () => (
      <TopList
        {...top}
        title="Top plants"
        groups={[
          { ...group, id: 1, name: 'Fern' },
          { ...group, id: 2, name: LONG_NAME },
        ]}
        seeAll={<a href="#all">See all</a>}
      />
    ),
  },
  { name: 'TopList, empty', show: () => <TopList {...top} title="Top trees" groups={[]} /> },
  {
    name: 'BulkChoices',
    show: () => <BulkChoices isBusy={false} error={null} onCancel={() => {}} choices={PLANT_CHOICES} />,
  },
  {
    name: 'BulkProgress, running',
    frameHeight: 160,
    until: 'progress',
    show: () => <BulkProgress programId={1} kinds={['review_commissions']} />,
  },
  {
    name: 'BulkProgress, stopped',
    frameHeight: 100,
    until: '[aria-label=Dismiss]',
    show: () => <BulkProgress programId={1} kinds={['mark_payouts_paid']} />,
  },
];

const PLANT_CHOICES = [
  { label: 'Water', title: 'Water 3 plants?', description: 'They get wet.', onConfirm: () => {} },
  { label: 'Remove', title: 'Remove 3 plants?', description: 'They are gone.', isDanger: true, onConfirm: () => {} },
];

function SelectedList() {
  const [selection, onChange] = useState(WHOLE_PAGE);
  const query = useLoadedQuery('plants', PAGE);
  const actions = <Button size="small">Water</Button>;
  const selecting = { selection, onChange, nameOf, matching: 1_250, actions };
  return <List {...list} label="Plants" query={query} toolbar={toolbar} count={1_250} selecting={selecting} />;
}

function LoadingList() {
  return <List {...list} label="Loading plants" query={useLoadingQuery<typeof PAGE>()} />;
}

function RefreshingList() {
  return <List {...list} label="Refreshing plants" query={useRefreshingQuery('plants', PAGE)} />;
}

function FailedList() {
  return <List {...list} label="Failed plants" query={useFailedQuery<typeof PAGE>('plants', FAILURE)} />;
}

function EmptyPlants() {
  return <List {...list} label="No plants" query={useLoadedQuery('no plants', EMPTY_PAGE)} />;
}

function PlantPage() {
  return (
    <ListPage
      {...list}
      title="Plants"
      description="What grows in the office."
      query={useLoadedQuery('page', PAGE)}
      exportUrl="#file"
      actions={<Button variant="primary">Buy a plant</Button>}
    />
  );
}

function Bar(props: Pick<ComponentProps<typeof SelectionBar>, 'noun' | 'selection' | 'isPageSelected'>) {
  return (
    <div>
      <SelectionBar {...props} matching={1_250} onChange={nothing} actions={<Button size="small">Water</Button>} />
    </div>
  );
}

function CommissionViews() {
  return <ListViews programId={1} list="commissions" />;
}
