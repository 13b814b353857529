import { limitJourney } from '../k6/limit-journey.ts';
import { overload } from './overload.plan.ts';

const journey = limitJourney(overload);
export const { options } = journey;
export default journey.drive;
