/** Every check there is, in the order of reports. */
export { auth as checks } from './checks/auth.ts';
