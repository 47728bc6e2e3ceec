import type { saleDetails } from '@svc/contract';
import type { RowColumns } from '../db/row-columns.ts';

/**
 * The columns of the table `sales` that hold what a caller added about a sale. They have the names of the fields, so that details
 * keep the spelling of the contract from the request to the row. A field without its column does not compile.
 */
export const SALE_DETAIL_COLUMNS: RowColumns<keyof typeof saleDetails> = {
  subscription_id: 'text',
  subscription_interval: 'text',
  product_id: 'text',
  line_items: 'jsonb',
};
