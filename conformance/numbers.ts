/** All numbers that decide, each with its reason. The envelope of `spec/limiter` needs none. */

/** Fisher's test, one side: chance gives a result that counts less often than this. A run asks the question some hundred times. */
export const rare = 1e-4;
/** Rounds before a trial is judged: 8 of 8 beside 0 of 8 happens by chance once in 12,870. */
export const firstRounds = 8;
/** Rounds after which it is given up: at one wrong reply in three, 24 rounds show 99.5%. */
export const maxRounds = 24;
/** Milliseconds of a random pause between rounds, so that they do not keep step with another client. */
export const maxPause = 900;
/** Milliseconds after the first look at which a missing effect is looked for again, before it counts: copies mostly lag by less than two seconds. */
export const lags = [2_000, 4_000, 8_000, 16_000, 30_000] as const;
/** Milliseconds for which a write whose reply was lost may still arrive: the usual timeout of a gateway. */
export const lateWrites = 30_000;
/** How often a run waits for all of these for a store, or to start an upload: what is missing for good would be waited for again and again. */
export const maxFullWaits = 2;
/** The share of requests that a working deployment may leave without a usable reply now and then, and that a proxy may send again for that. */
export const maxUnavailable = 0.03;
/** Milliseconds around a request. If everything in that time is refused or fails alike, it was an outage, and says nothing about the request. */
export const outage = 1_500;
/** Failures in a row of different requests that are served at other times. A fault of one kind of request meets another in between. */
export const outageFailures = 5;
/** Trials of one rule. If two say nothing, a third says nothing new. */
export const maxTrialsOfRule = 3;
/** Writes that change the labels of one record, so that its history in the product stays readable. */
export const maxWritesOfRecord = 60;
/** Requests of at least three kinds, all served before and now refused or lost one after the other, after which a run asks whether it is blocked. */
export const blockedAfter = 12;
/** Milliseconds between these questions: a minute in all, longer than a restart takes, and than most firewalls that only slow down. */
export const blockadeWaits = [2_000, 4_000, 8_000, 16_000, 30_000] as const;
/** Milliseconds of `--max-duration` that are kept for undoing: a working deployment needs two seconds, and one that hangs has the journal. */
export const undoTime = 10_000;
/** The share of its burst that a key may use beside an overload of other keys, and must get whatever they do. */
export const littleUse = 0.3;
/** Milliseconds in which what several keys send counts as sent at the same moment: a third of what is asked again after an outage. */
export const moment = 500;
/** Milliseconds. What is seen only within this time may be a roll-out or a firewall: the longest that a working deployment is out. */
export const rollOut = 10_000;
/** Texts, words, replies or waits that are alike, or all wrong, are no chance if they are so many. */
export const noChance = 3;
/** A share of errors that chance gives less often than this is no error now and then: each kind of request is asked, some thousand in all. */
export const rareShare = 1e-6;
/** Characters of an id or a text that nothing else contains by chance. */
export const minText = 16;
/** Characters of a label's name that is no everyday word. */
export const minName = 8;
/** So many numbers at random are not all sites by chance, even if one of five is. */
export const randomIds = 8;
/** How well a place must explain the labels of learning writes. What it does not explain is a surprise, to be examined. */
export const minFit = 0.7;
/** Bytes of a body that a slow network cannot carry in time. */
export const largeBody = 1_000_000;
