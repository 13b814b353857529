import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// Playwright brings its own browser where it was allowed to download one; otherwise the machine's Chromium will do.
const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

export default defineConfig({
  outputDir: '../../../node_modules/.cache/playwright-example',
  fullyParallel: true,
  workers: 2,
  reporter: 'line',
  use: { launchOptions: { args: ['--no-sandbox'], ...(existsSync(chromium) && { executablePath: chromium }) } },
});
