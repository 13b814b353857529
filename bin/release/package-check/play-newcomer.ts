import { type JourneyOptions, playNewcomer } from './journeys.ts';

// A program of its own, so that it can be started without a network.
const { project, everyCheck, k6 }: Omit<JourneyOptions, 'env'> = JSON.parse(process.argv[2] ?? '');
const journeys = await playNewcomer({ project, everyCheck, k6, env: process.env });
process.stdout.write(JSON.stringify(journeys));
