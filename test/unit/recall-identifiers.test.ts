import { describe, expect, test } from 'vitest'
import { rankedDocs } from '../support/ranked-docs.ts'
import { createIndex, rank, search } from '../support/search.ts'

/** Whether a query names an identifier of the only memory. */
function names(query: string, memory: string): boolean {
  const index = createIndex()
  index.add({ fields: [{ text: memory, weight: 1 }], visibilityClass: 0 })
  const hits = rankedDocs(rank(index.job(search.query(query), { allowed: null, limit: 5 })))
  return hits.some((hit) => hit.isExact)
}

describe('an identifier is found as people paste it', () => {
  test.each([
    // Test ids of runners.
    ['FAILED tests/unit/test_pay.py::test_refund_twice', 'Files: tests/unit/test_pay.py'],
    ['FAILED tests/unit/test_pay.py::test_refund_twice', 'test_refund_twice is flaky on Mondays'],
    ['ERROR tests/test_pay.py::TestRefund::test_twice[eur-2]', 'TestRefund::test_twice needs a clock'],
    ['ERROR tests/test_pay.py::TestRefund::test_twice[eur-2]', 'the class TestRefund shares a fixture'],
    ['tests/test_pay.py::TestRefund::test_twice', 'rerun tests/test_pay.py::TestRefund::test_twice'],
    ['--- FAIL: TestRefundTwice (0.00s)\n    pay/refund_test.go:31: got 2', 'see pay/refund_test.go'],
    ['test billing::refund::tests::pays_once ... FAILED', 'tests::pays_once waits for the clock'],
    ['FAIL test/hooks.test.js > hooks > adds a hook', 'test/hooks.test.js starts a server'],
    ['not ok 3 - adds a hook (test/hooks.test.js)', 'test/hooks.test.js starts a server'],
    // Places in a file.
    ['look at lib/reply.js#L20', 'lib/reply.js sends the headers'],
    ['look at lib/reply.js#L20-L31', 'lib/reply.js sends the headers'],
    ['src/core/pay.ts:12:7 - error TS2345: no', 'src/core/pay.ts adds up cents'],
    ['src/core/pay.ts(12,7): error TS2345: no', 'src/core/pay.ts adds up cents'],
    ['docs/guide.md#install-it', 'docs/guide.md tells how to install'],
    // Stack traces.
    ['File "/srv/app/billing/tax.py", line 3, in rate_of', 'billing/tax.py rounds down'],
    ['File "billing/tax.py", line 3, in rate_of', 'rate_of is cached for a day'],
    ['    at load (/app/src/auth/session.ts:42:7)', 'src/auth/session.ts keeps tokens'],
    ['    at async file:///app/src/auth/session.ts:42:7', 'src/auth/session.ts keeps tokens'],
    ['    at SessionStore.loadAll (webpack:///./src/auth/session.ts?a1:42)', 'auth/session.ts keeps tokens'],
    ['    at com.acme.pay.Refund.twice(Refund.java:10)', 'com.acme.pay.Refund is not thread safe'],
    ['    at com.acme.pay.Refund.twice(Refund.java:10)', 'Refund.twice locks the row'],
    ['    at com.acme.pay.Refund.twice(Refund.java:10)', 'src/main/java/com/acme/pay/Refund.java'],
    ['main.handle(0xc000, 0x1)\n\t/go/src/acme/pay/handler.go:88 +0x1d', 'acme/pay/handler.go retries'],
    ["thread 'main' panicked at src/pay/mod.rs:9:5", 'src/pay/mod.rs unwraps the rate'],
    ['   3: acme::pay::Refund::twice\n      at ./src/pay/mod.rs:9', 'Refund::twice unwraps the rate'],
    ["app/models/user.rb:10:in 'save!'", '/srv/site/app/models/user.rb validates twice'],
    ['   at Acme.Pay.Refund.Twice(Int32 n) in C:\\src\\Pay\\Refund.cs:line 12', 'Pay/Refund.cs is generated'],
    ['#0 /var/www/shop/src/Cart.php(10): Shop\\Cart->add()', 'src/Cart.php merges lines'],
    ['#0 /var/www/shop/src/Cart.php(10): Shop\\Model\\Cart->add()', 'Model\\Cart merges lines'],
    // Paths: one is the end of the other.
    ['/home/ana/shop/src/auth/session.ts', 'src/auth/session.ts keeps tokens'],
    ['src/auth/session.ts', '/home/ana/shop/src/auth/session.ts keeps tokens'],
    ['auth/session.ts', 'src/auth/session.ts keeps tokens'],
    ['C:\\Users\\ana\\shop\\src\\auth\\session.ts', 'src/auth/session.ts keeps tokens'],
    ['.\\src\\auth\\session.ts', 'src/auth/session.ts keeps tokens'],
    ['~/shop/src/auth/session.ts', 'shop/src/auth/session.ts keeps tokens'],
    ['diff --git a/src/auth/session.ts b/src/auth/session.ts', 'src/auth/session.ts keeps tokens'],
    ['open session.test.ts', 'src/auth/session.test.ts depends on the clock'],
    // Qualified names.
    ['what does os.path.join do here', 'os.path.join drops the first part'],
    ['billing.rates.rate_of raises', 'rates.rate_of is cached for a day'],
    ['std::vector::push_back grows', 'std::vector::push_back invalidates pointers'],
    ['User#fullName is empty', 'User#fullName trims'],
    ['why does conf.maxRetries stay 3', 'conf.maxRetries is read once'],
    ['call getUserById()', 'getUserById asks the cache first'],
    // Codes.
    ['error[E0382]: borrow of moved value', 'E0382 came from the loop'],
    ['error TS2345: Argument of type', 'TS2345 goes away with a cast'],
    ['Error [ERR_MODULE_NOT_FOUND]: Cannot find', 'ERR_MODULE_NOT_FOUND means the build is old'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED: start the database first'],
    ['killed by SIGKILL', 'SIGKILL in CI is the memory limit'],
    ['ORA-00942: table or view does not exist', 'ORA-00942 is a missing grant'],
    ['see PAY-1042 for it', 'PAY-1042 was closed'],
    // Flags, commits, packages.
    ['docker build --no-cache .', 'use --no-cache when the base image moved'],
    ['vitest --watch does nothing', 'never pass --watch in CI'],
    ['git show 3f2a9bc', 'broken since 3f2a9bcd1e0f4a5b6c7d8e9f0a1b2c3d4e5f6071'],
    ['git show 3f2a9bcd1e0f4a5b6c7d8e9f0a1b2c3d4e5f6071', 'broken since 3f2a9bc'],
    ['git show 3f2a9bcd', 'broken since 3f2a9bc'],
    ['fastify@4.26.1 does not start', 'fastify@4.26.1 needs Node 18'],
    ['left-pad@1.3.0 is gone', 'left-pad was unpublished'],
    ['@acme/rate-card@2.0.1 is gone', 'acme/rate-card@2.0.1 is a fork'],
    ['write to ana.lima@example.com', 'ana.lima@example.com pays'],
  ])('%s: %s', (query, memory) => {
    expect(names(query, memory)).toBe(true)
  })
})

describe('an identifier that was not named is none', () => {
  test.each([
    ['src/auth/session.ts', 'lib/auth/session.ts keeps tokens'],
    ['/app/src/auth/session.ts', 'src/auth/session.tsx keeps tokens'],
    ['/app/src/auth/session.ts:42:7', 'src/auth/obsession.ts keeps tokens'],
    ['tests/unit/test_pay.py::test_refund_twice', 'tests/integration/test_pay.py is slow'],
    ['tests/test_pay.py::test_refund_twice', 'test_refund_twice_again is slow'],
    ['tests/test_pay.py::TestRefund::test_twice', 'TestPayment::test_thrice'],
    ['lib/reply.js#L20', 'lib/request.js#L20 reads the headers'],
    ['com.acme.pay.Refund.twice', 'com.other.pay.Charge.twice'],
    ['com.acme.pay.Refund.twice', 'com.acme.pay is a package'],
    ['acme::pay::Refund', 'other::pay::Charge'],
    ['1.20.3', 'upgraded to 4.20.3'],
    ['1.20.3', 'upgraded to 1.20.4'],
    ['left-pad@1.3.0', 'right-pad@1.3.0'],
    ['left-pad@1.3.0', 'a pad on the left'],
    ['git show 3f2a9bcd', 'broken since 3f2a9bce'],
    ['git show 3f2a9bc', 'broken since 3f2a9bd0c4e1'],
    ['git show 3f2a9bcd1e0f4a5b', 'broken since 3f2a9bcd1e0f4a5c'],
    ['the defaced facade of 1234567', 'a defaced facade, 1234567'],
    ['ana.lima@example.com', 'bob.ray@example.com pays'],
    ['ana.lima@example.com', 'ana.lima@example.org pays'],
    ['TS2345', 'TS2346 goes away with a cast'],
    ['PAY-1042', 'PAY-1043 was closed'],
    ['ECONNREFUSED', 'ECONNRESET: the proxy'],
    ['THIS IS IMPORTANT', 'an important note'],
    ['--no-cache', 'there is no cache'],
    ['--watch', 'watch the queue'],
    [
      'a well-known and/or 24/7 YouTube page, 3.5 stars',
      'the well-known and/or 24/7 YouTube page, 3.5 stars',
    ],
  ])('%s: %s', (query, memory) => {
    expect(names(query, memory)).toBe(false)
  })
})
