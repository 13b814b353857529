/** A point in time, in UTC, as pages write it. @param at an ISO date-time in UTC */
export const instantText = (at: string): string => `${at.slice(0, 19).replace('T', ' ')} UTC`;
