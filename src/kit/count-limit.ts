/** Counts of what waits stop here: the back office shows «1 000+». */
export const countLimit = 1_001;
