import { columnVisibilityFeature, rowSelectionFeature, rowSortingFeature, tableFeatures } from '@tanstack/react-table';
import type { Selection } from './selection.ts';

/** What the tables of the application can do; the rest of the library is left out of the bundle. */
export const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature, rowSortingFeature });
export type Features = typeof features;

/** Rows that can be selected by their checkbox, and several at once with the Shift key. */
export type TableSelection<Row> = {
  selection: Selection;
  onChange: (selection: Selection) => void;
  /** How the checkbox of a row is read to screen readers: “Select order_17”. */
  nameOf: (row: Row) => string;
  isSelectable?: (row: Row) => boolean;
};
