/** The version of the files of feeds; one of another version is not read. */
export const savedFeedVersion = 1;
