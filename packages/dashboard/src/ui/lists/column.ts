import type { ReactNode } from 'react';

/** From which width of the table a column is shown. Narrower tables leave it out, or stack it below the first column. */
const WIDTHS = { medium: 640, wide: 860, widest: 1_070 };
type TableWidth = keyof typeof WIDTHS;

export type Column<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  isRightAligned?: boolean;
  /** For columns of buttons: only screen readers read the title. The last such column stays in view when the table scrolls. */
  isTitleHidden?: boolean;
  /** The narrowest table that shows the column; without it, all of them do. */
  showFrom?: TableWidth;
  /** In narrower tables, show the value below the first column instead. */
  isStacked?: boolean;
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

/** Whether a table of this width shows the column. What viewers choose wins. */
export function isShown<Row>(column: Column<Row>, choice: ColumnChoice, width: number): boolean {
  const chosen = choice[column.title];
  if (chosen !== undefined) return chosen;
  return !column.isHiddenByDefault && width >= (column.showFrom ? WIDTHS[column.showFrom] : 0);
}

/** Whether the value of the column is below the first one because the table is too narrow for it. */
export function isStackedIn<Row>(column: Column<Row>, choice: ColumnChoice, width: number): boolean {
  return Boolean(column.isStacked) && choice[column.title] !== false && !isShown(column, choice, width);
}

/** Whether viewers can hide the column. Buttons and the first column are always there. */
export function isOptional<Row>(column: Column<Row>, index: number): boolean {
  return index > 0 && !column.isTitleHidden;
}
