import { saleDetails } from '@svc/contract';

/**
 * The columns of the table `sales` that hold what a caller added about a sale. They have the names of the fields, so that details
 * keep the spelling of the contract from the request to the row.
 */
export const SALE_DETAIL_COLUMNS = Object.keys(saleDetails) as (keyof typeof saleDetails)[];
