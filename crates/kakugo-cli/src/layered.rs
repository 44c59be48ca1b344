//! Layered options: a value that is set overrides the value of the layer below.

use std::collections::BTreeMap;

/// Options that can be laid over others, e.g. a command line over a configuration file.
pub trait Layered {
    /// Returns these options, with unset ones taken from `base`.
    fn over(self, base: Self) -> Self;
}

impl<T> Layered for Option<T> {
    fn over(self, base: Self) -> Self {
        self.or(base)
    }
}

/// A flag is unset if it is `false`.
impl Layered for bool {
    fn over(self, base: Self) -> Self {
        self || base
    }
}

/// Tables are merged key by key.
impl<K: Ord, V> Layered for BTreeMap<K, V> {
    fn over(self, mut base: Self) -> Self {
        base.extend(self);
        base
    }
}

/// Implements [`Layered`] for a struct field by field. All fields must be listed.
#[macro_export]
macro_rules! layered {
    ($type:ident { $($field:ident),* $(,)? }) => {
        impl $crate::layered::Layered for $type {
            fn over(self, base: Self) -> Self {
                let $type { $($field),* } = self;
                $type { $($field: $crate::layered::Layered::over($field, base.$field)),* }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, PartialEq, Debug)]
    struct Options {
        size: Option<u32>,
        fast: bool,
        env: BTreeMap<u32, u32>,
    }

    crate::layered!(Options { size, fast, env });

    #[test]
    fn set_values_override_the_base() {
        let base = Options { size: Some(1), fast: true, env: [(1, 1), (2, 2)].into() };
        let unset = Options { size: None, fast: false, env: BTreeMap::new() };
        assert_eq!(unset.over(base.clone()), base);
        let own = Options { size: Some(2), fast: false, env: [(2, 3)].into() };
        let merged = Options { size: Some(2), fast: true, env: [(1, 1), (2, 3)].into() };
        assert_eq!(own.over(base), merged);
    }
}
