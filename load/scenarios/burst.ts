import { limitJourney } from '../k6/limit-journey.ts';
import { burst } from './burst.plan.ts';

const journey = limitJourney(burst);
export const { options } = journey;
export default journey.drive;
