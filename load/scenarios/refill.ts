import { limitJourney } from '../k6/limit-journey.ts';
import { refill } from './refill.plan.ts';

const journey = limitJourney(refill);
export const { options } = journey;
export default journey.drive;
