import { limitJourney } from '../k6/limit-journey.ts';
import { paced } from './paced.plan.ts';

const journey = limitJourney(paced);
export const { options } = journey;
export default journey.drive;
