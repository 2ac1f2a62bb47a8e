/** Whose words the instance speaks: those of the API documentation, or those of the live platform where they differ. */
export type Dialect = 'spec' | 'live';
