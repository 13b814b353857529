import { strictObject, type z } from 'zod';

/** An object with any of these properties and no others. */
export const optionalFields = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => strictObject(shape).partial();
