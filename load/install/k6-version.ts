/** The version of k6 with which the scenarios were tried. */
export const k6Version = '2.2.0';
