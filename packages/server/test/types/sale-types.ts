import type { ReportedSale } from '../../src/http/track/sale.ts';
import type { SaleRow } from '../../src/sales/sale-store.ts';

declare const reported: ReportedSale;
declare const row: SaleRow;

// Never run: the check of types compiles it, and fails where a sale without one of its fields compiles.

const { couponCode, ...withoutCoupon } = reported;
const { productId, ...withoutProduct } = reported;
const { product_id, ...rowWithoutProduct } = row;
const { tax_cents, ...rowWithoutTax } = row;

export const complete: ReportedSale[] = [reported, { ...withoutProduct, productId: undefined }];
export const completeRows: SaleRow[] = [row, { ...rowWithoutProduct, product_id: undefined }];

// @ts-expect-error A field of the body is missing.
complete.push(withoutCoupon);

// @ts-expect-error A detail is missing.
complete.push(withoutProduct);

// @ts-expect-error A detail is missing from the row.
completeRows.push(rowWithoutProduct);

// @ts-expect-error Another column is missing from the row.
completeRows.push(rowWithoutTax);
