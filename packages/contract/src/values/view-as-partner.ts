/** The header of requests that are answered as they would be for a partner. Its value is the token of a view. */
export const VIEW_AS_PARTNER = 'View-As-Partner';

/** For how long a view lasts. */
export const VIEW_MINUTES = 60;
