import { limitJourney } from '../k6/limit-journey.ts';
import { fleet } from './fleet.plan.ts';

const journey = limitJourney(fleet);
export const { options } = journey;
export default journey.drive;
