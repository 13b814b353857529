// Limiters of npm's libraries, each at a path of its own: node npm-limiters.mjs FOLDER, with the packages in it. Prints its port.
import { createRequire } from 'node:module';

const require = createRequire(`${process.argv[2]}/`);
const express = require('express');
const { rateLimit } = require('express-rate-limit');
const { RateLimiterMemory, BurstyRateLimiter } = require('rate-limiter-flexible');
const { TokenBucket } = require('limiter');

const app = express();
const ok = (_, response) => response.end();
const key = () => 'key';
app.use('/express-rate-limit', rateLimit({ windowMs: 2000, limit: 20, keyGenerator: key }), ok);

const consuming = (limiter) => (_, response) =>
  limiter.consume('key').then(
    () => response.end(),
    () => response.status(429).set('Retry-After', '1').end(),
  );
app.use('/rate-limiter-flexible', consuming(new RateLimiterMemory({ points: 20, duration: 2 })));
app.use(
  '/rate-limiter-flexible-bursty',
  consuming(
    new BurstyRateLimiter(
      new RateLimiterMemory({ points: 10, duration: 1 }),
      new RateLimiterMemory({ keyPrefix: 'burst', points: 20, duration: 2 }),
    ),
  ),
);

const bucket = new TokenBucket({ bucketSize: 20, tokensPerInterval: 10, interval: 'second' });
app.use('/limiter', (_, response) =>
  bucket.tryRemoveTokens(1) ? response.end() : response.status(429).set('Retry-After', '1').end(),
);

const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
