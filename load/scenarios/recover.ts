import { limitJourney } from '../k6/limit-journey.ts';
import { recover } from './recover.plan.ts';

const journey = limitJourney(recover);
export const { options } = journey;
export default journey.drive;
