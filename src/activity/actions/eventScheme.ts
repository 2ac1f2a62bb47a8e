/** The scheme of the addresses of events as documents. */
export const eventScheme = 'beacon-event';
