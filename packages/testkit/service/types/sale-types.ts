import type { ReportedSale } from '../../../server/src/http/track/sale.ts';
import type { SaleRow } from '../../../server/src/sales/sale-store.ts';

declare const reported: ReportedSale;
declare const row: SaleRow;

// Never run: the check of types compiles it, and fails where a sale without one of its fields compiles.

const { couponCode, ...withoutCoupon } = reported;
const { details, ...withoutDetails } = reported;
const { tax_cents, ...rowWithoutTax } = row;

export const complete: ReportedSale[] = [reported, { ...withoutDetails, details: {} }];
export const completeRows: SaleRow[] = [row];

// @ts-expect-error A field of the body is missing.
complete.push(withoutCoupon);

// @ts-expect-error The details are missing.
complete.push(withoutDetails);

// @ts-expect-error A column is missing from the row.
completeRows.push(rowWithoutTax);
