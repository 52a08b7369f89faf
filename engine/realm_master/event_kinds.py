"""All kinds of events there are, told apart by their tags: what the codec reads back."""

from engine.realm_master.events import (
    AttackForgone,
    AttackMade,
    CardBought,
    CardCovered,
    CardPlayed,
    CardRevealed,
    ChoiceMade,
    Collected,
    Corrected,
    DeckRebuilt,
    DiceResolved,
    DiceRolled,
    ElfHonoured,
    GameSetUp,
    GameWon,
    HeroConceded,
    HeroDied,
    HeroesGiven,
    HeroTaken,
    LandEntered,
    LandKept,
    LandLeft,
    LandsFilled,
    LifeBought,
    LineSkipped,
    LineUsed,
    ObjectionMade,
    OptionVoted,
    OrdersMissed,
    PhoenixRose,
    ReplacementWanted,
    RoundBegan,
    RulingGiven,
    SmokeUsed,
    StayedOutside,
    TakenBack,
    ThornsPricked,
    TributePaid,
    TurnBegan,
    UltimatumMet,
    WindowOpened,
)

AnyFacts = (
    GameSetUp
    | OptionVoted
    | HeroTaken
    | RoundBegan
    | WindowOpened
    | OrdersMissed
    | ReplacementWanted
    | LineSkipped
    | LineUsed
    | LandsFilled
    | HeroesGiven
    | TributePaid
    | UltimatumMet
    | TurnBegan
    | DiceRolled
    | DiceResolved
    | CardBought
    | CardRevealed
    | CardCovered
    | DeckRebuilt
    | CardPlayed
    | LifeBought
    | AttackForgone
    | AttackMade
    | SmokeUsed
    | ElfHonoured
    | PhoenixRose
    | ThornsPricked
    | HeroDied
    | ChoiceMade
    | LandEntered
    | LandLeft
    | LandKept
    | StayedOutside
    | Collected
    | HeroConceded
    | GameWon
    | ObjectionMade
    | RulingGiven
    | Corrected
    | TakenBack
)
