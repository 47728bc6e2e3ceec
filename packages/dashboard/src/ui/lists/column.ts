import type { ReactNode } from 'react';

/** From which width of the table a column is shown. Narrower tables leave it out, or stack it below the first column. */
const WIDTHS = { small: 320, medium: 640, wide: 860, widest: 1_070 };
type TableWidth = keyof typeof WIDTHS;

export type Column<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  isRightAligned?: boolean;
  /** For columns of buttons: only screen readers read the title. The last such column stays in view when the table scrolls. */
  isTitleHidden?: boolean;
  /** In narrow tables it is as wide as the other columns allow, and what is too long for that can end with an ellipsis. */
  takesRest?: boolean;
  /** The narrowest table that shows the column; without it, all of them do. */
  showFrom?: TableWidth;
  /** In narrower tables, show the value below the first column instead. */
  isStacked?: boolean;
  /** There, with its title before it, for values that do not say what they are. */
  isTitledBelow?: boolean;
  /** Viewers add it in the column menu. */
  isHiddenByDefault?: boolean;
  /** What the server calls it when it sorts by it. */
  sortBy?: string;
  /** Whether the first click on its title sorts from high to low, as people expect of amounts and dates. */
  isSortedDownFirst?: boolean;
  /** Its value in the row of totals. */
  total?: ReactNode;
};

/** Whether viewers chose to see a column or not, by its title. Columns that they left alone are not in it. */
export type ColumnChoice = Partial<Record<string, boolean>>;

/** What decides which columns a table shows. */
export type TableRoom = {
  choice: ColumnChoice;
  width: number;
  /** Titles of columns that did not fit. */
  dropped: ReadonlySet<string>;
};

/** Whether the table shows the column. What viewers choose wins. */
export function isShown<Row>(column: Column<Row>, { choice, width, dropped }: TableRoom): boolean {
  const chosen = choice[column.title];
  if (chosen !== undefined) return chosen;
  if (column.isHiddenByDefault || dropped.has(column.title)) return false;
  return width >= (column.showFrom ? WIDTHS[column.showFrom] : 0);
}

/** Whether the value of the column is below the first one because the table is too narrow for it. */
export function isStackedIn<Row>(column: Column<Row>, room: TableRoom): boolean {
  return Boolean(column.isStacked) && room.choice[column.title] !== false && !isShown(column, room);
}

/** The columns that a table can do without if its content is wider than it is, the least important first. */
export function droppable<Row>(columns: readonly Column<Row>[], choice: ColumnChoice): string[] {
  const widthOf = ({ showFrom }: Column<Row>) => (showFrom ? WIDTHS[showFrom] : 0);
  return columns
    .filter((column) => column.showFrom && !column.isTitleHidden && choice[column.title] === undefined)
    .toSorted((one, other) => widthOf(other) - widthOf(one))
    .map(({ title }) => title);
}

/** Whether viewers can hide the column. Buttons and the first column are always there. */
export function isOptional<Row>(column: Column<Row>, index: number): boolean {
  return index > 0 && !column.isTitleHidden;
}
