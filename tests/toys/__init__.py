"""Small games for the tests: a correct one (`toys.bazaar`) and ones broken on purpose (`toys.broken`)."""
