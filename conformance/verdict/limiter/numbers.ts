/** The numbers that decide about limiters, each with its reason. The envelope of `spec/limiter` needs none. */

/** Milliseconds. A request over the limit that is served later than this was held back, if others were served promptly. */
export const late = 1_000;
/** The share of its burst that a key may use beside an overload of other keys, and must get whatever they do. */
export const littleUse = 0.3;
/** A wait is too long if requests are served after a tenth of it, so many times: by chance a client is early once. */
export const minEarly = 3;
/** Milliseconds in which what several keys send counts as sent at the same moment: a third of what is asked again after an outage. */
export const moment = 500;
/** Milliseconds. What is seen only within this time may be a roll-out or a firewall: the longest that a working deployment is out. */
export const rollOut = 10_000;
