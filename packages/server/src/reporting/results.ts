/** The columns that the view `results` and every count made from it have in common. */
export const RESULTS = ['leads', 'first_sales', 'sales', 'revenue_cents', 'refunded_cents', 'commission_cents'];
